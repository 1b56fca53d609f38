ALTER TABLE "solutions" ADD COLUMN "response_ms" integer;
