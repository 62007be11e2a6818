CREATE TABLE "made_files" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"format" text NOT NULL,
	"filename" text NOT NULL,
	"width_mm" real NOT NULL,
	"height_mm" real NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"design_filename" text DEFAULT '' NOT NULL,
	"product_name" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "receipt" jsonb;--> statement-breakpoint
ALTER TABLE "made_files" ADD CONSTRAINT "made_files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "made_files_user" ON "made_files" USING btree ("user_id","created_at","id");