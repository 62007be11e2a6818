CREATE TABLE "security_events" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"action" text NOT NULL,
	"user_id" integer,
	"email" text NOT NULL,
	"address" text NOT NULL,
	"detail" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "security_events_created" ON "security_events" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "security_events_email" ON "security_events" USING btree ("email","created_at");