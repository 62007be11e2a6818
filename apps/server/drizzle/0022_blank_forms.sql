ALTER TABLE "products" ADD COLUMN "surface" jsonb DEFAULT '{"kind":"flat"}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "variants" jsonb DEFAULT '{"colors":[],"sizes":[]}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "company_products" ADD COLUMN "surface" jsonb DEFAULT '{"kind":"flat"}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "company_products" ADD COLUMN "variants" jsonb DEFAULT '{"colors":[],"sizes":[]}'::jsonb NOT NULL;