CREATE TABLE "company_ink_profiles" (
	"company_id" text NOT NULL,
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "company_ink_profiles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "company_ink_profiles" ADD CONSTRAINT "company_ink_profiles_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "company_ink_profiles_company" ON "company_ink_profiles" USING btree ("company_id");--> statement-breakpoint
CREATE POLICY "company_ink_profiles_own" ON "company_ink_profiles" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("company_ink_profiles"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("company_ink_profiles"."company_id", '*'));--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
ALTER TABLE "company_ink_profiles" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON "company_ink_profiles" TO markwright_company;
	END IF;
END $$;
