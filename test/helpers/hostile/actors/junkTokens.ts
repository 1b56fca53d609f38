import { type Address, parseEther } from 'viem'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { signOrder } from '../../orders/signOrder.ts'
import type { CreateActor } from '../arena.ts'
import { deployHostileToken } from '../deployHostileToken.ts'
import { encodeTokenAct, encodeTokenCall } from '../hostileContracts.ts'

const { address: owner, privateKey } = devAccounts[1]

const junk = {
  'fee on transfer': encodeTokenCall('setFee', 100n),
  'returns false': encodeTokenAct('transferFrom', 'returnZero'),
  'returns nothing': encodeTokenAct('transfer', 'returnNothing'),
  rebasing: encodeTokenCall('setScale', 97n),
  'garbage names': encodeTokenAct('symbol', 'returnGarbage'),
  'no decimals': encodeTokenAct('decimals', 'revert'),
}

/** Orders that sell and buy tokens which move other amounts than they say, or have no readable name. */
export const junkTokens: CreateActor = (arena, dice) => {
  const tokens: { kind: string; address: Address }[] = []
  return {
    name: 'junk tokens',
    pauseMs: [3_000, 7_000],
    prepare: async () => {
      for (const [kind, data] of Object.entries(junk)) {
        const address = await deployHostileToken(arena, owner)
        await arena.send(owner, address, data)
        tokens.push({ kind, address })
      }
    },
    act: async () => {
      const { kind, address } = dice.pick(tokens)
      const isSold = dice.chance(0.5)
      const [sellToken, buyToken] = isSold ? [address, arena.token('WETH')] : [arena.token('WETH'), address]
      const terms = {
        ...{ sellToken, buyToken, buyAmount: 1n, sellAmount: parseEther('0.01') + BigInt(dice.between(0, 10 ** 9)) },
        ...{ kind: dice.pick(['sell', 'buy'] as const), partiallyFillable: dice.chance(0.3) },
      }
      const { status } = await arena.request('POST', 'orders', await signOrder(arena.stack.info, privateKey, terms))
      arena.count(`order of a token (${kind}) → ${status}`)
    },
  }
}
