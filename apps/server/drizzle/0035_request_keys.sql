CREATE TABLE "request_keys" (
	"owner" text NOT NULL,
	"call" text NOT NULL,
	"key" text NOT NULL,
	"digest" text NOT NULL,
	"made_id" text NOT NULL,
	"remark" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_keys_owner_call_key_pk" PRIMARY KEY("owner","call","key")
);
--> statement-breakpoint
CREATE INDEX "request_keys_created" ON "request_keys" USING btree ("created_at");