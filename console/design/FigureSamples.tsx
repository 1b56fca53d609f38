import { PriceChart } from '../ui/chart/PriceChart.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { FactGrid } from '../ui/FactGrid.tsx'
import { HexText } from '../ui/HexText.tsx'
import { sampleAddresses } from './sampleAddresses.ts'

const points = Array.from({ length: 60 }, (_, i) => ({
  time: i * 60_000,
  price: 2_900 + 60 * Math.sin(i / 7) + 25 * Math.sin(i / 2.3),
}))

/** Tiles, a chart and a grid of facts. */
export const FigureSamples = () => (
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
          { name: 'Owner', value: <HexText value={sampleAddresses[1] ?? ''} label="owner" /> },
          { name: 'Kind', value: 'Sell, fill or kill' },
        ]}
      />
    </section>
  </>
)
