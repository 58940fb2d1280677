import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { OfficeMessageDialog } from '~/src/widgets/OfficeMessageDialog'

const QUICK_TEXTS = ['office_quick_call', 'office_quick_car', 'office_quick_break'] as const

/** Lets a driver write to the office, with sentences that one touch sends. */
export const OfficeMessageButton = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button wide onClick={() => setOpen(true)}>
        <Icon name="chat" />
        {t('message_office')}
      </Button>
      {isOpen && (
        <OfficeMessageDialog
          title={t('message_office')}
          quickTexts={QUICK_TEXTS.map((key) => t(key))}
          onSent={() => dispatch(noticeRaised({ tone: 'success', text: 'message_office_sent' }))}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
