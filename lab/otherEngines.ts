import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, mayInstallPackages } from '~/scripts/local/aptPackages'

/** Returns the first path that exists, after the installation of Debian's package if needed. */
const requireProgram = (packageName: string, find: () => string | undefined): string => {
  const there = find()
  if (there !== undefined) return there
  if (mayInstallPackages()) installPackages(packageName)
  const installed = find()
  if (installed !== undefined) return installed
  throw new Error(
    `The tests in other browsers need ${packageName}. On Debian: apt-get install ${packageName}`,
  )
}

/** Returns the path of Firefox. */
export const requireFirefox = (): string =>
  requireProgram('firefox-esr', () =>
    ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)),
  )

/** Returns the paths of WebKitGTK's driver and of its small browser. */
export const requireWebKit = (): { driver: string; browser: string } => {
  const driver = '/usr/bin/WebKitWebDriver'
  requireProgram('webkit2gtk-driver', () => (existsSync(driver) ? driver : undefined))
  const browser = requireProgram('libwebkit2gtk-4.1-0', () =>
    readdirSync('/usr/lib')
      .flatMap((folder) =>
        ['4.1', '4.0'].map((version) => join('/usr/lib', folder, `webkit2gtk-${version}`)),
      )
      .map((folder) => join(folder, 'MiniBrowser'))
      .find((path) => existsSync(path)),
  )
  return { driver, browser }
}
/** Returns the path of the display server without a screen, which WebKitGTK needs. */
export const requireDisplayServer = (): string =>
  requireProgram('xvfb', () => (existsSync('/usr/bin/Xvfb') ? '/usr/bin/Xvfb' : undefined))
