CREATE TABLE "library_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"composition" jsonb NOT NULL,
	"area_width_mm" double precision NOT NULL,
	"area_height_mm" double precision NOT NULL,
	"width_mm" double precision NOT NULL,
	"height_mm" double precision NOT NULL,
	"picture_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "library_entries" ADD CONSTRAINT "library_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "library_entries_once" ON "library_entries" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "library_entries_user" ON "library_entries" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "library_entries_deleted" ON "library_entries" USING btree ("deleted_at");