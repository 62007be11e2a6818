CREATE TABLE "takeouts" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"parts" integer DEFAULT 0 NOT NULL,
	"size_bytes" bigint DEFAULT 0 NOT NULL,
	"holder" text DEFAULT '' NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "takeouts" ADD CONSTRAINT "takeouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "takeouts_user" ON "takeouts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "takeouts_due" ON "takeouts" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "takeouts_created" ON "takeouts" USING btree ("created_at");