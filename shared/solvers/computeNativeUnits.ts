import type { Network } from '../networks.ts'

/** Native tokens that are worth about an ether, where the native token is not one; sizes of a trade, not prices. */
const perEther: Partial<Record<string, bigint>> = {
  avalanche: 100n,
  bnb: 4n,
  gnosis: 1_000n,
  plasma: 1_000n,
  polygon: 1_000n,
}

/** A market that moves fewer ethers is too cheap to make: its price values trades of solvers, but neither statistics nor rewards. */
export const deepUnits = 1

/** Wei of the native token that are worth some ethers, to a tenth of an ether. */
export const computeNativeUnits = ({ name }: Pick<Network, 'name'>, ethers: number): bigint =>
  BigInt(Math.round(ethers * 10)) * 10n ** 17n * (perEther[name] ?? 1n)
