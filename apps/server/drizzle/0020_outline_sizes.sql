ALTER TABLE "designs" ADD COLUMN "width_mm" double precision;--> statement-breakpoint
ALTER TABLE "designs" ADD COLUMN "outline_file" text;