CREATE INDEX "users_created" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "usage_created" ON "usage" USING btree ("created_at","state","kind");--> statement-breakpoint
CREATE INDEX "usage_reserved" ON "usage" USING btree ("lease_until") WHERE "usage"."state" = 'reserved';