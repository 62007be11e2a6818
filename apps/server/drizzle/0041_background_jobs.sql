CREATE TABLE "background_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"start_at" timestamp with time zone DEFAULT now() NOT NULL,
	"slot" timestamp with time zone,
	"holder" text,
	"holder_lease_until" timestamp with time zone,
	"run" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "background_jobs_slot" UNIQUE("name","slot")
);
--> statement-breakpoint
CREATE INDEX "background_jobs_open" ON "background_jobs" USING btree ("start_at") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "background_jobs_ended" ON "background_jobs" USING btree ("ended_at");