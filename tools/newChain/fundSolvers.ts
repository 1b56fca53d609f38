import { type Address, formatEther } from 'viem'
import type { OperatorChain } from '../contracts/connectOperator.ts'

/** gas units of a settlement, generously */
const settlementGas = 500_000n
/** settlements that a solver gets gas for, at twice the current price */
const settlements = 20n

/**
 * Sends each solver the gas for its first settlements, unless it has the gas for a quarter of them.
 * @param options.dryRun prints what would be sent
 */
export const fundSolvers = async (
  chain: OperatorChain,
  solvers: readonly Address[],
  { dryRun, symbol, log }: { dryRun: boolean; symbol: string; log: (line: string) => void },
): Promise<void> => {
  const value = settlementGas * settlements * 2n * (await chain.getGasPrice())
  for (const to of solvers) {
    const balance = await chain.getBalance({ address: to })
    if (balance * 4n >= value && balance > 0n) {
      log(`  solver ${to} has ${formatEther(balance)} ${symbol}`)
      continue
    }
    log(`  solver ${to} gets ${formatEther(value)} ${symbol} for gas`)
    if (!dryRun) await chain.waitForTransactionReceipt({ hash: await chain.sendTransaction({ to, value }) })
  }
}
