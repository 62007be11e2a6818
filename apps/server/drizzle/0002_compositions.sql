CREATE TABLE "compositions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"composition" jsonb NOT NULL,
	"product_id" text,
	"picture_key" text,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "compositions" ADD CONSTRAINT "compositions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "compositions_once" ON "compositions" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "compositions_user" ON "compositions" USING btree ("user_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "compositions_deleted" ON "compositions" USING btree ("deleted_at");