CREATE TABLE "audit_trail" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"email" text NOT NULL,
	"address" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"custom_products_enabled" boolean DEFAULT false NOT NULL,
	"enabled_categories" text[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "companies_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "company_products" (
	"company_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"category" text NOT NULL,
	"sub_category" text DEFAULT '' NOT NULL,
	"dimensions" text DEFAULT '1x1' NOT NULL,
	"print_area" jsonb NOT NULL,
	"picture_aspect" double precision NOT NULL,
	"material" text NOT NULL,
	"mark_color" text NOT NULL,
	"machines" text[] NOT NULL,
	"picture_key" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"submitted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "company_products_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "company_products" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vectorizer_turns" (
	"caller" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "business" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "sub_category" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_products" ADD CONSTRAINT "company_products_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_trail_created" ON "audit_trail" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "company_products_once" ON "company_products" USING btree ("company_id",lower("category"),lower("sub_category"),lower("name"));--> statement-breakpoint
CREATE INDEX "vectorizer_turns_next" ON "vectorizer_turns" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "products_once" ON "products" USING btree (lower("category"),lower("business"),lower("sub_category"),lower("name"));--> statement-breakpoint
CREATE POLICY "company_products_own" ON "company_products" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("company_products"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("company_products"."company_id", '*'));--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
-- The tables' owner is bound by the policy too. A superuser, which the embedded database's user is, never is: inside
-- a company we work as a role that is, where there may be one.
ALTER TABLE "company_products" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$
BEGIN
	BEGIN
		CREATE ROLE markwright_company NOLOGIN;
	EXCEPTION
		-- One role serves every database of a server; another may be making it at this moment.
		WHEN duplicate_object OR unique_violation THEN NULL;
		WHEN insufficient_privilege THEN RETURN;
	END;
	BEGIN
		EXECUTE format('GRANT markwright_company TO %I', current_user);
	EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN NULL;
	END;
	GRANT SELECT, INSERT, UPDATE, DELETE ON "company_products" TO markwright_company;
	GRANT SELECT ON "companies" TO markwright_company;
END $$;--> statement-breakpoint
-- Until the transaction ends, only rows of this company are there. With no role to work as, the owner's own rows are still bound.
CREATE FUNCTION markwright_enter_company(company text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('markwright.company', company, true);
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company' AND pg_has_role(current_user, oid, 'MEMBER')) THEN
		SET LOCAL ROLE markwright_company;
	END IF;
END $$;
