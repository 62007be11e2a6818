ALTER TABLE "library_entries" ADD COLUMN "kind" text DEFAULT 'elements' NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_designs" ADD COLUMN "template" text;--> statement-breakpoint
ALTER TABLE "saved_designs" ADD COLUMN "template_id" text;--> statement-breakpoint
ALTER TABLE "shops" ADD COLUMN "starts" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "saved_designs_template" ON "saved_designs" USING btree ("template_id");