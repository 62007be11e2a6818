ALTER TABLE "guests" ADD COLUMN "seen_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "guests_seen" ON "guests" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "export_records_guest" ON "export_records" USING btree ("guest_id") WHERE "export_records"."guest_id" is not null;