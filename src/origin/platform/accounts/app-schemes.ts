/**
 * A scheme of an application's own: a domain name backwards (`com.example.app`), or words with hyphens (`my-app`). Nothing
 * else is let through, and of the words none that browsers, operating systems or registered protocols have taken: those
 * open, run or show something by themselves instead of handing over to the application that asked.
 */
const REVERSE_DOMAIN = /^[a-z][a-z\d]*(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/;
const WORDS = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;

const TAKEN = new Set(
  [
    'about android apple applescript blob brave callto chrome chromium cid cmd data dav dict dns edge facetime feed',
    'file filesystem firefox ftp ftps geo git gopher hcp help http imap intent intents irc its itms itmss jar',
    'javascript jdbc ldap ldaps livescript magnet mailto market mhtml mid mk mms mocha moz mozilla ms msdt news nfs nntp',
    'onenote opera pcast pop powershell prefs res resource rlogin rtmp rtsp safari search settings sftp shell sip sips',
    'skype smb sms smsto source ssh steam svn tel telnet terminal tn3270 urn vbs vbscript view vivaldi vnc vscode',
    'webcal webkit ws wss wyciwyg x xmpp zoommtg extension shortcuts workflow devtools',
  ].flatMap((line) => line.split(' ')),
);

/** @param scheme in lower case, without the colon */
export function isAppScheme(scheme: string): boolean {
  if (REVERSE_DOMAIN.test(scheme)) return true;
  return WORDS.test(scheme) && !scheme.split('-').some((word) => TAKEN.has(word));
}
