CREATE TABLE "pauses" (
	"chain_id" integer NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pauses_chain_id_subject_pk" PRIMARY KEY("chain_id","subject")
);
