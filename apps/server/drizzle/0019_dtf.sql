ALTER TABLE "shops" ADD COLUMN "offers_dtf" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE "products" SET "machines" = array_append("machines", 'dtf')
WHERE "product_id" IN ('tshirt-cotton-white', 'tshirt-cotton-black', 'tote-cotton-natural') AND NOT ('dtf' = ANY("machines"));
