CREATE TABLE "media_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"format" integer NOT NULL,
	"name" text NOT NULL,
	"lane" text NOT NULL,
	"caller" text NOT NULL,
	"debt_ms" integer NOT NULL,
	"turn_at" timestamp with time zone DEFAULT now() NOT NULL,
	"processor_limit_ms" integer,
	"input" "bytea",
	"state" text DEFAULT 'waiting' NOT NULL,
	"is_canceled" boolean DEFAULT false NOT NULL,
	"asker" text NOT NULL,
	"asker_lease_until" timestamp with time zone NOT NULL,
	"holder" text,
	"holder_lease_until" timestamp with time zone,
	"run" integer DEFAULT 0 NOT NULL,
	"output" "bytea",
	"outcome" jsonb,
	"cost_ms" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sweep_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"after" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "media_jobs_asker" ON "media_jobs" USING btree ("asker");--> statement-breakpoint
CREATE INDEX "media_jobs_holder" ON "media_jobs" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "media_jobs_lease" ON "media_jobs" USING btree ("asker_lease_until");