import type { Database } from '#schema/client.ts'
import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createSharing } from '#shared/createSharing.ts'
import { networks } from '#shared/networks.ts'
import { defaultRoom } from '#shared/slippage/computeSuggestedSlippage.ts'
import { noFees } from '#test/helpers/orders/feeRules.ts'
import { createAdmission } from '../../../functions/quotes/createAdmission.ts'
import type { QuoteDeps } from '../../../functions/quotes/postQuote.ts'

/** Dependencies of the quote routes with a stopped clock, gas for 2 gwei, no fees, and a node that cannot simulate. */
export const buildQuoteDeps = (
  database: Database,
  solvers: QuoteDeps['solvers'],
  changes: Partial<QuoteDeps> = {},
): QuoteDeps => ({
  database,
  solvers,
  network: networks.sepolia,
  now: () => 1_800_000_000_000,
  timeoutMs: 20_000,
  admit: createAdmission(20_000),
  findPauses: async () => new Map(),
  share: createSharing({ now: Date.now, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }),
  bannedUsers: new Set(),
  unsupportedTokens: new Set(),
  minValiditySeconds: 60,
  maxGas: 8_000_000n,
  feeRules: noFees,
  connect: () => connectChain('http://127.0.0.1:9'),
  simulate: () => Promise.reject(new SimulationError('nodeCannotSimulate')),
  balanceLayouts: new Map(),
  tokenFaults: new Map(),
  findGasPrice: async () => 2_000_000_000n,
  findDataFee: async () => 0n,
  findSlippageRoom: async () => defaultRoom,
  ...changes,
})
