ALTER TABLE "made_files" ADD COLUMN "job_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "made_files_job" ON "made_files" USING btree ("user_id","job_key");