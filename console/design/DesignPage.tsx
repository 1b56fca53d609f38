import { useState } from 'preact/hooks'
import { useTitle } from '../browser/useTitle.ts'
import { type Network, useNetwork } from '../networks/NetworksProvider.tsx'
import { TokenLogo } from '../tokens/logos/TokenLogo.tsx'
import { toNative } from '../tokens/toNative.ts'
import { useListedTokens } from '../tokens/useListedTokens.ts'
import { Bar } from '../ui/Bar.tsx'
import { PriceChart } from '../ui/chart/PriceChart.tsx'
import { Chip, type ChipTone } from '../ui/elements/Chip.tsx'
import { CountdownRing } from '../ui/elements/CountdownRing.tsx'
import { Dialog } from '../ui/elements/Dialog.tsx'
import { Identicon } from '../ui/elements/Identicon.tsx'
import { Segmented } from '../ui/elements/Segmented.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { useToast } from '../ui/elements/ToastProvider.tsx'
import { FactGrid } from '../ui/FactGrid.tsx'
import { HexText } from '../ui/HexText.tsx'
import { paletteNames } from './paletteNames.ts'
import './design.css'

const tones: Record<ChipTone, string> = {
  ok: 'Filled',
  live: 'Partially filled',
  waiting: 'Open',
  act: 'Needs approval',
  error: 'Failed',
  ended: 'Expired',
}
const addresses = ['11', '5a', 'c4', 'f3', '9d'].map((byte) => `0x${byte.repeat(20)}`)
const points = Array.from({ length: 60 }, (_, i) => ({
  time: i * 60_000,
  price: 2_900 + 60 * Math.sin(i / 7) + 25 * Math.sin(i / 2.3),
}))

/** `/design`, in development only: every component in every state. */
export const DesignPage = () => {
  useTitle('Design')
  const network = useNetwork()
  return (
    <div class="page design">
      <h1>Design</h1>
      <Colours />
      <Type />
      <States />
      <Controls />
      <Figures />
      <Logos network={network} />
    </div>
  )
}

const Colours = () => (
  <section class="panel">
    <h2>Colours</h2>
    <div class="design-row">
      {paletteNames.map((name) => (
        <span key={name} class="design-swatch">
          <i style={{ background: `var(--${name})` }} />
          {name}
        </span>
      ))}
    </div>
  </section>
)

const Type = () => (
  <section class="panel">
    <h1>Sold 0.5 WETH for 1,494.92 USDC</h1>
    <h2>Heading of a panel</h2>
    <h3>Heading in a panel</h3>
    <p>
      Text with a <a href="/design">link in text</a>, <strong>strong text</strong> and <code>0x9008d1…60ab41</code>.
    </p>
    <p class="muted">Muted text: labels and explanations.</p>
    <p class="fine">Small text: 0123456789 in figures of equal width.</p>
  </section>
)

const States = () => {
  const show = useToast()
  return (
    <section class="panel">
      <h2>States</h2>
      <p class="design-row">
        {(Object.entries(tones) as [ChipTone, string][]).map(([tone, text]) => (
          <Chip key={tone} tone={tone}>
            {text}
          </Chip>
        ))}
      </p>
      {['ok', 'warning', 'error', 'ended', ''].map((tone) => (
        <p key={tone} class={`notice ${tone}`}>
          A notice: {tone || 'information'}
        </p>
      ))}
      <p class="design-row">
        <button
          type="button"
          onClick={() => show({ id: 'a', tone: 'ok', label: 'Filled', text: 'Sold 1 WETH for 2,989 USDC' })}
        >
          Show a toast
        </button>
        <Skeleton /> <Skeleton width="3rem" />
        <CountdownRing share={1} /> <CountdownRing share={0.6} /> <CountdownRing share={0.1} />
        <CountdownRing share={0} isBusy />
      </p>
      <Bar permille={0} />
      <br />
      <Bar permille={170} isLarge />
      <br />
      <Bar permille={1_000} tone="good" isLarge />
    </section>
  )
}

const Controls = () => {
  const [tab, setTab] = useState<'one' | 'two'>('one')
  const [choice, setChoice] = useState<'swap' | 'limit'>('swap')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section class="panel">
      <h2>Controls</h2>
      <p class="design-row">
        <button type="button" class="primary">
          Primary
        </button>
        <button type="button" class="primary" disabled>
          Disabled
        </button>
        <button type="button" onClick={() => setIsOpen(true)}>
          Open a dialog
        </button>
        <button type="button" class="small">
          Small
        </button>
        <a class="button outlined" href="/design">
          Button as a link
        </a>
        <input aria-label="Field" placeholder="A field" />
        <input aria-label="Invalid field" value="x" aria-invalid="true" />
        <select aria-label="Choice">
          <option>A choice</option>
        </select>
      </p>
      <p>
        <button type="button" class="primary wide">
          Swap 1.5 WETH
        </button>
      </p>
      <Segmented label="Type" choices={{ swap: 'Swap', limit: 'Limit' }} value={choice} onChoose={setChoice} />
      <Tabs
        label="Views"
        tabs={[
          { name: 'one', label: 'Open orders', count: 2 },
          { name: 'two', label: 'History' },
        ]}
        chosen={tab}
        onChoose={setTab}
      >
        <p>Content of the tab {tab}.</p>
      </Tabs>
      <Dialog title="A dialog" isOpen={isOpen} close={() => setIsOpen(false)}>
        <p>Escape or a click beside it closes it.</p>
      </Dialog>
    </section>
  )
}

const Figures = () => (
  <>
    <div class="tiles">
      <Tile title="Filled in" value="0.6 s">
        block 61
      </Tile>
      <Tile title="Better than limit" value={<span class="good">+7.88 USDC</span>}>
        0.53 %
      </Tile>
      <Tile title="Price" value="2,989.85">
        USDC per WETH
      </Tile>
      <Tile title="Fees" value="$0.50" />
    </div>
    <section class="panel">
      <h2>Figures</h2>
      <PriceChart
        label="Price"
        points={points}
        formatPrice={(price) => price.toFixed(2)}
        level={{ price: 2_980, label: 'your limit 2,980' }}
      >
        No prices
      </PriceChart>
      <FactGrid
        facts={[
          { name: 'Owner', value: <HexText value={addresses[1] ?? ''} label="owner" /> },
          { name: 'Kind', value: 'Sell, fill or kill' },
        ]}
      />
    </section>
  </>
)

const Logos = ({ network }: { network: Network }) => (
  <section class="panel">
    <h2>Logos</h2>
    <p class="design-row">
      {[toNative(network), ...useListedTokens(network.name)].map((token) => (
        <span key={token.address} class="design-swatch">
          <TokenLogo network={network} token={token} size={40} />
          {token.symbol}
        </span>
      ))}
      {addresses.map((address) => (
        <TokenLogo key={address} network={network} token={{ address, symbol: 'USDC' }} size={40} />
      ))}
      {addresses.map((address) => (
        <Identicon key={address} of={address} size={40} />
      ))}
    </p>
  </section>
)
