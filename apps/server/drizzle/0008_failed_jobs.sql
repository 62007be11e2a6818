CREATE TABLE "failed_jobs" (
	"key" text PRIMARY KEY NOT NULL,
	"message" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "failed_jobs_ends" ON "failed_jobs" USING btree ("ends_at");