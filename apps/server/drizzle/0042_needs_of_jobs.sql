CREATE TABLE "model_offers" (
	"server" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"side" integer NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	CONSTRAINT "model_offers_server_id_pk" PRIMARY KEY("server","id")
);
--> statement-breakpoint
ALTER TABLE "media_jobs" ADD COLUMN "needs" text DEFAULT 'pictures' NOT NULL;