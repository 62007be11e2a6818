ALTER TABLE "products" ADD COLUMN "size_source" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "company_products" ADD COLUMN "size_source" text DEFAULT '' NOT NULL;