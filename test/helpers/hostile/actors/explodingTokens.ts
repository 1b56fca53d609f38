import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, parseEther } from 'viem'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { hostileCode, hostileNames } from '../../chain/hostileCode.ts'
import { signOrder } from '../../orders/signOrder.ts'
import type { CreateActor } from '../arena.ts'
import { deployHostileToken } from '../deployHostileToken.ts'
import { encodeTokenAct } from '../hostileContracts.ts'

const { address: owner, privateKey } = devAccounts[2]
const tokenCount = 6

/** Orders that sell an honest token, which turns bad a moment after the order book has taken them. */
export const explodingTokens: CreateActor = (arena, dice) => {
  const fresh: Address[] = []
  return {
    name: 'exploding tokens',
    pauseMs: [4_000, 9_000],
    prepare: async () => {
      for (let i = 0; i < tokenCount; i++) fresh.push(await deployHostileToken(arena, owner))
    },
    act: async () => {
      const { info, chain } = arena.stack
      const sellToken = dice.pick(fresh)
      for (const buyAmount of [1n, parseEther('1000')]) {
        const sellAmount = 1_000n + BigInt(dice.between(0, 10 ** 9))
        const terms = { sellToken, buyToken: arena.token('WETH'), sellAmount, buyAmount }
        const { status } = await arena.request('POST', 'orders', await signOrder(info, privateKey, terms))
        arena.count(`order of an exploding token → ${status}`)
      }
      await sleep(dice.between(0, 1_500))
      if (dice.chance(0.5)) {
        const broken = dice.pick(hostileNames)
        await chain.setCode({ address: sellToken, bytecode: hostileCode[broken] })
        if (fresh.length > 1) fresh.splice(fresh.indexOf(sellToken), 1)
        arena.count(`token explodes: ${broken}`)
        return
      }
      const broken = dice.pick(['balanceOf', 'allowance', 'transferFrom'] as const)
      const act = dice.pick(['none', 'invalid', 'burnGas', 'hugeReturn', 'hugeRevert', 'returnMaximum'] as const)
      await arena.send(owner, sellToken, encodeTokenAct(broken, act))
      arena.count(`token explodes: ${broken} ${act}`)
    },
  }
}
