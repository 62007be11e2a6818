CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"address" text NOT NULL,
	"work" jsonb NOT NULL,
	"state" text NOT NULL,
	"pieces" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"ending" text DEFAULT '' NOT NULL,
	"filename" text NOT NULL,
	"period" timestamp with time zone NOT NULL,
	"problem" text DEFAULT '' NOT NULL,
	"holder" text DEFAULT '' NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "batches_once" ON "batches" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "batches_user" ON "batches" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "batches_due" ON "batches" USING btree ("due_at") WHERE "batches"."state" in ('waiting', 'making');--> statement-breakpoint
CREATE INDEX "batches_created" ON "batches" USING btree ("created_at");