CREATE TABLE "company_fonts" (
	"company_id" text NOT NULL,
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"letters" integer NOT NULL,
	"size_bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "company_fonts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "company_fonts" ADD CONSTRAINT "company_fonts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "company_fonts_company" ON "company_fonts" USING btree ("company_id");--> statement-breakpoint
CREATE POLICY "company_fonts_own" ON "company_fonts" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("company_fonts"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("company_fonts"."company_id", '*'));--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
ALTER TABLE "company_fonts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON "company_fonts" TO markwright_company;
	END IF;
END $$;
