CREATE TABLE "company_lasers" (
	"company_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"entries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "company_lasers_company_id_id_pk" PRIMARY KEY("company_id","id")
);
--> statement-breakpoint
ALTER TABLE "company_lasers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "company_lasers" ADD CONSTRAINT "company_lasers_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "company_lasers_own" ON "company_lasers" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("company_lasers"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("company_lasers"."company_id", '*'));--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
ALTER TABLE "company_lasers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON "company_lasers" TO markwright_company;
	END IF;
END $$;
