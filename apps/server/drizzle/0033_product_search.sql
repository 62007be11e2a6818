DROP INDEX "products_category";--> statement-breakpoint
CREATE INDEX "products_order" ON "products" USING btree ("category","name","id");--> statement-breakpoint
CREATE INDEX "products_search" ON "products" USING gin (to_tsvector('simple', regexp_replace("name" || ' ' || "category" || ' ' || "sub_category" || ' ' || "material", '[^[:alnum:]]+', ' ', 'g')));