import { SigningScheme as ContractScheme, decodeTradeFlags } from '@cowprotocol/contracts'
import { describe, expect, test } from 'vitest'
import { encodeTradeFlags } from './encodeTradeFlags.ts'

const contractSchemes = {
  eip712: ContractScheme.EIP712,
  ethsign: ContractScheme.ETHSIGN,
  eip1271: ContractScheme.EIP1271,
  presign: ContractScheme.PRESIGN,
} as const

const cases = (['sell', 'buy'] as const).flatMap((kind) =>
  [false, true].flatMap((partiallyFillable) =>
    (['erc20', 'external', 'internal'] as const).flatMap((sellTokenBalance) =>
      (['erc20', 'internal'] as const).flatMap((buyTokenBalance) =>
        (['eip712', 'ethsign', 'eip1271', 'presign'] as const).map((scheme) => ({
          order: { kind, partiallyFillable, sellTokenBalance, buyTokenBalance },
          scheme,
        })),
      ),
    ),
  ),
)

describe('encodeTradeFlags', () => {
  test('is read back by the library of the settlement contract, for every combination', () => {
    expect(cases).toHaveLength(96)
    for (const { order, scheme } of cases) {
      const decoded = decodeTradeFlags(encodeTradeFlags(order, scheme))
      expect(decoded).toEqual({ ...order, signingScheme: contractSchemes[scheme] })
    }
  })

  test('uses the bits of the contract', () => {
    const plain = {
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    } as const
    expect(encodeTradeFlags(plain, 'eip712')).toBe(0n)
    expect(
      encodeTradeFlags(
        { kind: 'buy', partiallyFillable: true, sellTokenBalance: 'internal', buyTokenBalance: 'internal' },
        'presign',
      ),
    ).toBe(0b1111111n)
    expect(encodeTradeFlags({ ...plain, sellTokenBalance: 'external' }, 'eip1271')).toBe(0b1001000n)
  })
})
