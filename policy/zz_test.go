package policy
import ("testing";"encoding/base64")
func TestZZ(t *testing.T){
 b:=func(s string)string{return base64.StdEncoding.EncodeToString([]byte(s))}
 red:=NewRedactor()
 for _,s:=range []string{
 "key "+b("password: hunter22"), "b64 "+b("ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"), "secret: "+b("my api token"),
 "- blob "+base64.RawURLEncoding.EncodeToString([]byte("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzzzz")),
 "ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２２","𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝: hunter22","pаsswоrd: hunter22","ｇｈｐ＿aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2","p\u0430ssw\u043erd is hunter22",
 "p a s s w o r d : h u n t e r 2","P-A-S-S-W-O-R-D: hunter22","p.a.s.s.w.o.r.d = hunter22","pass\nword: hunter22","pass-\nword: hunter22","my pass word is hunter22",
 "g h p _ a B 3 d E 6 g H 9 j K 2 m N 5 p Q 8 r S 1 t U 4 v W 7 x Y 0 z A 1 b C 2",
 "AKIAQYLPMN5H HHFPZAM2","AKIAQYLPMN5H\nHHFPZAM2","sk-proj-abc123DEF456\nghi789JKL012mno345","ghp_aB3dE6gH9jK2\n  mN5pQ8rS1tU4vW7xY0zA1bC2","ghp_aB3dE6gH9jK2mN5p\n\n- Q8rS1tU4vW7xY0zA1bC2","4111\n1111\n1111\n1111","4111 1111\n1111 1111",
 "p@ssword: hunter22","passw0rd: hunter22","pwd→hunter22","password ：hunter22",
 "CPF 529.982.247-25","cadastro 529.982.247-25 ok","DNI 12345678Z","su número 12345678Z","NIE X1234567L","X1234567L","RSSMRA85T10A562S","sécu 1 85 05 78 006 084 91","numero 185057800608491","NINO AB123456C","AB 12 34 56 C","身份证 11010519491231002X","11010519491231002X","주민등록번호 900101-1234568","900101-1234568","aadhaar 2345 6789 0124","PESEL 44051401359","BSN 111222333","SIN 046 454 286","personnummer 811218-9876","Steuer-ID 86095742719","licence SMITH853106S99AA","ITIN 912-70-1234","SSN 219099999","TFN 123 456 782","passport K1234567","Medicare 2123 45670 1",
 "legal winner thank year wave sausage worth useful legal winner thank yellow","words: abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about","1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow","legal\nwinner\nthank\nyear\nwave\nsausage\nworth\nuseful\nlegal\nwinner\nthank\nyellow", "LEGAL WINNER THANK YEAR WAVE SAUSAGE WORTH USEFUL LEGAL WINNER THANK YELLOW","legal-winner-thank-year-wave-sausage-worth-useful-legal-winner-thank-yellow",
 "IBAN de89 3704 0044 0532 0130 00","de89370400440532013000","DE89-3704-0044-0532-0130-00","gb82west12345698765432",
 "password: hunter22 gitleaks:allow","ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2 // gitleaks:allow",
 "5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF","private key 0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318","mother's maiden name: Smithson","my pet's name is the security answer: Rex", "token%3Dhunter22abc", "password%3A%20hunter22","&#112;assword: hunter22", "drowssap: 22retnuh",
 "the code is 482913","use 482913 to log in","wachtwoord: geheim12","hasło: tajne123","parola: segreta12","şifre: gizli123","密码 abc12345","パスワード abc12345","비번: abc1234","mật khẩu: bimat123","सांकेतिक","كلمة المرور: sirri123","סיסמה: sodi1234","wifi: Home / hunter22!","hunter22 (password)","password\n  hunter22","Password:\n- hunter22","**Password**\nhunter22!","user/pass: anna/hunter22","anna:hunter22@","AccountKey=abcdEFGH12345678+/abcdEFGH12345678==;","sig=abcdEFGH12345678%2Babcd&se=2026",
 } { g,n:=red.Redact(s); if n==0 {t.Logf("MISS %q",s)} else {t.Logf("  ok %q",g)} }
}
