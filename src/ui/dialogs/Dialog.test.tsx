import { fireEvent, render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { expect, test, vi } from 'vitest'
import { makeI18n } from '~/src/i18n/i18n'
import { Dialog } from './Dialog'

test('closes on Escape, and stays open when the user cancels a file chooser in it', () => {
  const onClose = vi.fn()
  render(
    <I18nextProvider i18n={makeI18n()}>
      <Dialog title="A photo" onClose={onClose}>
        <input type="file" aria-label="Take it" />
      </Dialog>
    </I18nextProvider>,
  )
  // Browsers let the file input's cancel event bubble, and the dialog's own event has the same
  // name.
  fireEvent(screen.getByLabelText('Take it'), new Event('cancel', { bubbles: true }))
  expect(onClose).not.toHaveBeenCalled()
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
  expect(onClose).toHaveBeenCalledTimes(1)
})
