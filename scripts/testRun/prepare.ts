// Builds what the suite serves and installs the browser once, before the steps that use them. Two
// steps that ran side by side would otherwise do it at the same time.
import { requireChromium } from '../local/chromium'
import { buildChanged } from '../local/build'
import { runScript } from '../local/scriptRunner'

await runScript(async () => {
  requireChromium()
  // The same parts as `startSuite`, which then builds nothing.
  await buildChanged((line) => console.log(line), { tour: true })
  return 0
})
