import { useTitle } from '../browser/useTitle.ts'
import { useNetwork } from '../networks/NetworksProvider.tsx'
import { ControlSamples } from './ControlSamples.tsx'
import { FigureSamples } from './FigureSamples.tsx'
import { LogoSamples } from './LogoSamples.tsx'
import { paletteNames } from './paletteNames.ts'
import { StateSamples } from './StateSamples.tsx'
import './design.css'

/** `/design`, in development only: every component in every state. */
export const DesignPage = () => {
  useTitle('Design')
  const network = useNetwork()
  return (
    <div class="page design">
      <h1>Design</h1>
      <Colours />
      <Type />
      <StateSamples />
      <ControlSamples />
      <FigureSamples />
      <LogoSamples network={network} />
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
