CREATE TABLE "settlement_failures" (
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"solver" "bytea" NOT NULL,
	"failures" integer NOT NULL,
	"reverts" integer DEFAULT 0 NOT NULL,
	"last_outcome" text NOT NULL,
	"last_block" bigint NOT NULL,
	"last_revert_block" bigint,
	"failed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settlement_failures_chain_id_order_uid_solver_pk" PRIMARY KEY("chain_id","order_uid","solver")
);
