import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Hex, parseUnits } from 'viem'
import { connectTrader } from '../../demo/connectTrader.ts'
import { postSwap, waitForStatus } from '../../demo/swap.ts'
import { readStackInfo } from '../../stack/stackInfo.ts'
import { type Report, toReport } from '../figure.ts'

const repository = join(import.meta.dirname, '../../..')

/** Budgets for an empty folder with installed packages. */
const readyBudgetSeconds = 30
const fillBudgetSeconds = 60

/** Time of a user's start. Cached builds (`tools/cache`) exist already, except at the very first start. */
export const benchStart = async (report: (report: Report) => void): Promise<void> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-start-'))
  const began = performance.now()
  const readSeconds = (): number => (performance.now() - began) / 1000
  const child = spawn(process.execPath, ['tools/start.ts', '--dir', dir], {
    cwd: repository,
    env: { ...process.env, PORT: '0', RPC_PORT: '0', DB_PORT: '0', SINKS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('edgebook is ready')) break
    const readySeconds = readSeconds()
    await fillOneOrder(dir)
    report(
      toReport('npm start, in an empty folder', [
        { name: 'to ready', value: readySeconds, unit: 's', budget: readyBudgetSeconds },
        { name: 'to the first filled order', value: readSeconds(), unit: 's', budget: fillBudgetSeconds },
      ]),
    )
  } finally {
    child.kill('SIGINT')
    await ended
    await rm(dir, { recursive: true, force: true })
  }
}

/** @throws Error when `dir` has no running stack, or the order is not filled in time */
const fillOneOrder = async (dir: string): Promise<void> => {
  const stack = readStackInfo(dir)
  const { WETH, USDC } = stack.tokens
  if (!WETH || !USDC) throw new Error('the stack has no WETH or no USDC')
  const trader = connectTrader(stack, stack.accounts[0]?.privateKey as Hex)
  await trader.approveRelayer(WETH.address)
  const uid = await postSwap(trader, { kind: 'sell', sellToken: WETH, buyToken: USDC, amount: parseUnits('0.1', 18) })
  await waitForStatus(trader, uid, 'fulfilled')
}
