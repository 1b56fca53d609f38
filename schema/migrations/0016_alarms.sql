CREATE TABLE "alarms" (
	"chain_id" integer NOT NULL,
	"key" text NOT NULL,
	"crossed_at" timestamp with time zone NOT NULL,
	"alerts" integer NOT NULL,
	"alerted_at" timestamp with time zone,
	CONSTRAINT "alarms_chain_id_key_pk" PRIMARY KEY("chain_id","key")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"value" text,
	"crossed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE INDEX "alerts_due" ON "alerts" USING btree ("next_attempt_at") WHERE "alerts"."sent_at" is null;
