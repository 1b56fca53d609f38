CREATE TABLE "chain_differences" (
	"chain_id" integer NOT NULL,
	"subject" text NOT NULL,
	"description" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chain_differences_chain_id_subject_pk" PRIMARY KEY("chain_id","subject")
);
