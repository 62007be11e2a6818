CREATE TABLE "company_tone_curves" (
	"company_id" text NOT NULL,
	"material" text NOT NULL,
	"curve" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "company_tone_curves_company_id_material_pk" PRIMARY KEY("company_id","material")
);
--> statement-breakpoint
ALTER TABLE "company_tone_curves" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "company_tone_curves" ADD CONSTRAINT "company_tone_curves_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "company_tone_curves_own" ON "company_tone_curves" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("company_tone_curves"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("company_tone_curves"."company_id", '*'));--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
ALTER TABLE "company_tone_curves" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON "company_tone_curves" TO markwright_company;
	END IF;
END $$;
