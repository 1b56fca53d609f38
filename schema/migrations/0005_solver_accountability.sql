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
--> statement-breakpoint
CREATE TABLE "solver_suspensions" (
	"chain_id" integer NOT NULL,
	"solver" "bytea" NOT NULL,
	"auction_id" bigint NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"failures" integer NOT NULL,
	"level" integer NOT NULL,
	CONSTRAINT "solver_suspensions_chain_id_solver_auction_id_pk" PRIMARY KEY("chain_id","solver","auction_id")
);
--> statement-breakpoint
ALTER TABLE "auctions" ADD COLUMN "left_out" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "mismatch" jsonb;--> statement-breakpoint
CREATE INDEX "solver_suspensions_select_active" ON "solver_suspensions" USING btree ("chain_id","until");--> statement-breakpoint
CREATE INDEX "settlement_attempts_select_judged" ON "settlement_attempts" USING btree ("chain_id","solver","auction_id" DESC NULLS LAST,"solution_uid");