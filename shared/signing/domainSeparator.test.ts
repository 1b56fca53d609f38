import fc from 'fast-check'
import { type Address, bytesToHex, type Hex, domainSeparator as viemDomainSeparator } from 'viem'
import { describe, expect, test } from 'vitest'
import { computeDomainSeparator } from './domainSeparator.ts'

const settlementContract = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes): Address => bytesToHex(bytes))

describe('computeDomainSeparator', () => {
  test('equals the separator of the canonical settlement contract on Sepolia', () => {
    expect(computeDomainSeparator(11155111, settlementContract)).toBe(
      '0xdaee378bd0eb30ddf479272accf91761e697bc00e067a268f95f1d2732ed230b',
    )
  })

  test('agrees with viem on any chain and contract', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), address, (chainId, verifyingContract) => {
        const domain = { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract }
        expect(computeDomainSeparator(chainId, verifyingContract)).toBe(viemDomainSeparator({ domain }))
      }),
    )
  })

  test('does not depend on the case of the address', () => {
    expect(computeDomainSeparator(1, '0x9008D19f58AAbD9eD0D60971565AA8510560ab41')).toBe(
      computeDomainSeparator(1, settlementContract),
    )
  })

  test.each([0, -1, 1.5, Number.NaN, 2 ** 53])('rejects chain id %d', (chainId) => {
    expect(() => computeDomainSeparator(chainId, settlementContract)).toThrow(RangeError)
  })

  test.each<Hex>(['0x', '0x9008d19f58aabd9ed0d60971565aa8510560ab', `0x${'g'.repeat(40)}`])(
    'rejects %s',
    (contract) => {
      expect(() => computeDomainSeparator(1, contract)).toThrow(RangeError)
    },
  )
})
