import { parseUnits } from 'viem'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { connectTrader } from './demo/connectTrader.ts'
import { printNotifications } from './demo/printNotifications.ts'
import { findDebugReport, printTimeline } from './demo/printTimeline.ts'
import { subscribeToSinks } from './demo/subscribeToSinks.ts'
import { quoteAndPostSwap, waitForStatus } from './demo/swap.ts'
import { readStackInfo } from './stack/stackInfo.ts'

const command = {
  run: 'npm run demo',
  about: `Trades one sell and one buy order on the running stack with the official SDK.
Prints their timelines and the notifications of the trader.`,
  options: { dir: { type: 'string', default: '.edgebook', value: 'folder', about: 'the folder of the stack' } },
} as const

/** Posts both orders, waits for the fills and prints what happened. */
const demo = async (): Promise<void> => {
  const { values } = readCommand(command)
  const stack = readStackInfo(values.dir)
  const [account] = stack.accounts
  if (!account) throw new Error('the stack has no funded account')
  const trader = connectTrader(stack, account.privateKey)
  const token = (symbol: string) => {
    const found = stack.tokens[symbol]
    if (!found) throw new Error(`the stack has no token ${symbol}`)
    return { ...found, symbol }
  }
  const swaps = [
    { kind: 'sell', sell: token('WETH'), buy: token('USDC'), amount: parseUnits('0.5', 18) },
    { kind: 'buy', sell: token('USDC'), buy: token('DAI'), amount: parseUnits('250', 18) },
  ] as const

  await subscribeToSinks(stack, account.privateKey, 'demo')
  const uids: string[] = []
  for (const { kind, sell, buy, amount } of swaps) {
    await trader.approveRelayer(sell.address)
    const { uid, quoted } = await quoteAndPostSwap(trader, { kind, sellToken: sell, buyToken: buy, amount })
    console.log(`\n${kind} order ${sell.symbol} → ${buy.symbol}\n  ${uid}`)
    uids.push(uid)
    await waitForStatus(trader, uid, 'fulfilled')
    printTimeline(stack, await findDebugReport(stack, uid), { sell, buy }, quoted)
  }
  await printNotifications(stack, account.address, uids)
}

await runMain(demo)
