CREATE TABLE "installation" (
	"one" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"id" text NOT NULL,
	"key_fingerprint" text NOT NULL,
	CONSTRAINT "installation_one" CHECK ("installation"."one" = 1)
);
