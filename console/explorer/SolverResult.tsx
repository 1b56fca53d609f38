import type { components } from '../api/openapi.d.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { SolverText } from '../networks/SolverText.tsx'
import { NativeAmount } from '../tokens/NativeAmount.tsx'
import { Chip } from '../ui/elements/Chip.tsx'
import { HexText } from '../ui/HexText.tsx'
import { count } from '../ui/numbers.ts'
import { winStates } from './winStates.ts'

type Auction = components['schemas']['SolverAuction']
type Solution = Auction['solutions'][number]

/** What became of a solver's solutions in one auction, and what of them was left out. */
export const SolverResult = ({ network, auction }: { network: Network; auction: Auction }) => {
  const wins = auction.solutions.filter(({ settlement }) => settlement !== null)
  const lost = wins.length > 0 ? [] : auction.solutions.slice(0, 1)
  return (
    <>
      {wins.map(
        ({ ranking, settlement }) => settlement && <Win key={ranking} network={network} settlement={settlement} />,
      )}
      {lost.map(({ ranking, loss }) => loss && <Lost key={ranking} network={network} loss={loss} />)}
      {auction.leftOut && (
        <p class="fine">
          {auction.leftOut.kind}: {auction.leftOut.reason}
        </p>
      )}
    </>
  )
}

type Parts = { network: Network }

const Win = ({ network, settlement }: Parts & { settlement: NonNullable<Solution['settlement']> }) => {
  const { status, txHash, blocks, gasUsed, blame } = settlement
  return (
    <p class="solver-result">
      <Chip tone={winStates[status].tone}>{winStates[status].label}</Chip>{' '}
      {txHash !== null && <HexText value={txHash} label="transaction" href={paths.transaction(network.name, txHash)} />}
      {blocks !== null && (
        <span class="fine">
          {' '}
          after {blocks === 1 ? '1 block' : `${blocks} blocks`}, {count.format(BigInt(gasUsed ?? 0))} gas
        </span>
      )}
      {blame && <span class="fine"> {blame.reason}</span>}
    </p>
  )
}

const reasons = {
  order: 'for one of its orders',
  pair: 'on one of its pairs',
  unfair: 'It gives less on a pair than a solution of that pair alone.',
  limit: 'It does not fit beside the winners: a balance, unsettled wins or their number.',
} as const

const Lost = ({ network, loss }: Parts & { loss: NonNullable<Solution['loss']> }) => (
  <p>
    <Chip tone="ended">Lost</Chip>{' '}
    {loss.solver !== undefined && loss.by !== undefined ? (
      <>
        to <SolverText network={network} address={loss.solver} isBrief /> {reasons[loss.kind]},{' '}
        {loss.by === '0' ? (
          'with an equal score'
        ) : (
          <>
            by <NativeAmount network={network} amount={loss.by} />
          </>
        )}
      </>
    ) : (
      <span class="fine">{reasons[loss.kind]}</span>
    )}
  </p>
)
