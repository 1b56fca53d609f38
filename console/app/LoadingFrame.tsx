import { Brand } from './Brand.tsx'

/** The frame of every page, in its final size, until the networks are known. */
export const LoadingFrame = () => (
  <>
    <header class="site-header">
      <Brand />
    </header>
    <main>
      <p class="loading">Loading …</p>
    </main>
  </>
)
