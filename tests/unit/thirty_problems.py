"""Thirty small problems as text, for the study of generated checks in `tests.unit.thirty`.

``=`` is a right solution, ``!`` a plausible wrong one, ``+`` right checks and ``-`` wrong ones, without their asserts.
"""
# ruff: noqa: E501 - one line is one solution, or one list of checks

from __future__ import annotations

TEXT = r"""
# the first n Fibonacci numbers
= f = lambda n, a=0, b=1: [] if n == 0 else [a, *f(n - 1, b, a + b)]
! f = lambda n, a=1, b=1: [] if n == 0 else [a, *f(n - 1, b, a + b)]
! f = lambda n, a=0, b=1: [a] if n == 0 else [a, *f(n - 1, b, a + b)]
! f = lambda n, a=0, b=1: a if n == 0 else f(n - 1, b, a + b)
+ f(5) == [0, 1, 1, 2, 3]; f(1) == [0]; f(0) == []; f(2) == [0, 1]; len(f(10)) == 10
- f(5) == [1, 1, 2, 3, 5]; f(0) == [0]; f(3) == [0, 1, 2]
# is it a palindrome, letters and digits only, in any case
= f = lambda s: (t := [c.lower() for c in s if c.isalnum()]) == t[::-1]
! f = lambda s: s == s[::-1]
! f = lambda s: s.lower() == s.lower()[::-1]
! f = lambda s: (t := [c.lower() for c in s if c.isalnum()]) == t[::-1] and len(t) > 1
+ f('racecar') == True; f('A man, a plan, a canal: Panama') == True; f('') == True; f('hello') == False; f('Abba') == True
- f('') == False; f('Abba') == False; f('No lemon, no melons') == True
# the median
= f = lambda x: (sorted(x)[len(x) // 2] + sorted(x)[~(len(x) // 2)]) / 2
! f = lambda x: (x[len(x) // 2] + x[~(len(x) // 2)]) / 2
! f = lambda x: sorted(x)[len(x) // 2]
! f = lambda x: (sorted(x)[len(x) // 2] + sorted(x)[~(len(x) // 2)]) // 2
+ f([3, 1, 2]) == 2; f([1, 2, 3, 4]) == 2.5; f([7]) == 7; f([5, 1]) == 3; f([9, 4, 1, 4]) == 4
- f([1, 2, 3, 4]) == 3; f([3, 1, 2]) == 1; f([1, 2]) == 2
# is it a leap year
= f = lambda y: y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
! f = lambda y: y % 4 == 0
! f = lambda y: y % 4 == 0 and y % 100 != 0
! f = lambda y: y % 400 == 0
+ f(2024) == True; f(2023) == False; f(1900) == False; f(2000) == True
- f(1900) == True; f(2000) == False; f(2100) == True
# how many vowels
= f = lambda s: sum(c in 'aeiou' for c in s.lower())
! f = lambda s: sum(c in 'aeiou' for c in s)
! f = lambda s: sum(c in 'aeiouy' for c in s.lower())
! f = lambda s: len({c for c in s.lower() if c in 'aeiou'})
+ f('hello') == 2; f('') == 0; f('AEIOU') == 5; f('rhythm') == 0; f('banana') == 3
- f('Apple') == 1; f('sky') == 1; f('programming') == 4
# a Roman numeral as a number
= f = lambda s, v={'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}: sum(v[a] if v[a] >= v.get(b, 0) else -v[a] for a, b in zip(s, s[1:] + ' '))
! f = lambda s, v={'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}: sum(v[a] for a in s)
! f = lambda s, v={'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}: sum(v[a] if v[a] > v.get(b, 0) else -v[a] for a, b in zip(s, s[1:] + ' '))
! f = lambda s, v={'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}: sum(v[a] if v[a] >= v[b] else -v[a] for a, b in zip(s, s[1:]))
+ f('III') == 3; f('IV') == 4; f('MCMXCIV') == 1994; f('LVIII') == 58; f('X') == 10
- f('IV') == 6; f('XL') == 60; f('MMXXIV') == 2026
# a nested list made flat
= f = lambda x: [y for e in x for y in (f(e) if isinstance(e, list) else [e])]
! f = lambda x: [y for e in x for y in e]
! f = lambda x: [y for e in x for y in (e if isinstance(e, list) else [e])]
! f = lambda x: sorted(y for e in x for y in (f(e) if isinstance(e, list) else [e]))
+ f([1, [2, 3]]) == [1, 2, 3]; f([]) == []; f([3, [2, [1]]]) == [3, 2, 1]; f([[1], [2]]) == [1, 2]; f([[]]) == []
- f([[]]) == [[]]; f([1, [2, [3]]]) == [1, 2, [3]]; f([3, [1]]) == [1, 3]
# the second largest of the different numbers, or None
= f = lambda x: sorted(set(x))[-2] if len(set(x)) > 1 else None
! f = lambda x: sorted(x)[-2]
! f = lambda x: sorted(x)[-2] if len(x) > 1 else None
! f = lambda x: sorted(set(x))[1] if len(set(x)) > 1 else None
+ f([1, 2, 3]) == 2; f([5, 5, 4]) == 4; f([1]) is None; f([2, 2]) is None; f([9, 7, 8, 1]) == 8
- f([5, 5, 4]) == 5; f([2, 2]) == 2; f([10, 20]) == 20
# without duplicates, in order
= f = lambda x: list(dict.fromkeys(x))
! f = lambda x: sorted(set(x))
! f = lambda x: [e for e in x if x.count(e) == 1]
! f = lambda x: [a for a, b in zip(x, [*x[1:], None]) if a != b]
+ f([3, 1, 3]) == [3, 1]; f([]) == []; f([1, 1, 1]) == [1]; f([2, 1]) == [2, 1]; f([1, 2, 2, 3]) == [1, 2, 3]
- f([3, 1, 3]) == [1, 3]; f([1, 1, 2]) == [2]; f([4, 4, 5, 4]) == [4, 5, 4]
# a list turned right by k
= f = lambda x, k: x[-k % len(x):] + x[:-k % len(x)] if x else []
! f = lambda x, k: x[k:] + x[:k]
! f = lambda x, k: x[-k:] + x[:-k]
! f = lambda x, k: x[-k % len(x):] + x[:-k % len(x)]
+ f([1, 2, 3], 1) == [3, 1, 2]; f([], 2) == []; f([1, 2, 3], 4) == [3, 1, 2]; f([1, 2], 0) == [1, 2]; f([1, 2, 3, 4], 2) == [3, 4, 1, 2]
- f([1, 2, 3], 1) == [2, 3, 1]; f([1, 2, 3], 4) == [1, 2, 3]; f([1, 2, 3, 4, 5], 2) == [3, 4, 5, 1, 2]
# is it a prime
= f = lambda n: n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))
! f = lambda n: all(n % d for d in range(2, n))
! f = lambda n: n > 1 and all(n % d for d in range(2, int(n**0.5)))
! f = lambda n: n > 1 and n % 2 == 1
+ f(2) == True; f(1) == False; f(9) == False; f(17) == True; f(0) == False
- f(1) == True; f(2) == False; f(91) == True
# a text with its letters shifted by k
= f = lambda s, k: ''.join(chr((ord(c) - (b := 97 if c.islower() else 65) + k) % 26 + b) if c.isalpha() else c for c in s)
! f = lambda s, k: ''.join(chr(ord(c) + k) if c.isalpha() else c for c in s)
! f = lambda s, k: ''.join(chr((ord(c) - 97 + k) % 26 + 97) if c.isalpha() else c for c in s.lower())
! f = lambda s, k: ''.join(chr((ord(c) - (b := 97 if c.islower() else 65) + k) % 26 + b) for c in s)
+ f('abc', 1) == 'bcd'; f('xyz', 3) == 'abc'; f('Hi!', 1) == 'Ij!'; f('', 5) == ''; f('a b', 2) == 'c d'
- f('xyz', 3) == '{|}'; f('Hi!', 1) == 'ij!'; f('hello', 3) == 'khoos'
# how often each word comes, in any case
= f = lambda s: {w: s.lower().split().count(w) for w in s.lower().split()}
! f = lambda s: {w: s.split().count(w) for w in s.split()}
! f = lambda s: {w: s.lower().count(w) for w in s.lower().split()}
! f = lambda s: {w: s.lower().split(' ').count(w) for w in s.lower().split(' ')}
+ f('a b a') == {'a': 2, 'b': 1}; f('') == {}; f('The the') == {'the': 2}; f('a  b') == {'a': 1, 'b': 1}; f('in a bin') == {'in': 1, 'a': 1, 'bin': 1}
- f('The the') == {'The': 1, 'the': 1}; f('a  b') == {'a': 1, '': 1, 'b': 1}; f('x y x') == {'x': 2, 'y': 2}
# are they anagrams, blanks and case aside
= f = lambda a, b: sorted(a.lower().replace(' ', '')) == sorted(b.lower().replace(' ', ''))
! f = lambda a, b: sorted(a) == sorted(b)
! f = lambda a, b: set(a.lower()) == set(b.lower())
! f = lambda a, b: sorted(a.lower()) == sorted(b.lower())
+ f('listen', 'silent') == True; f('Dormitory', 'dirty room') == True; f('aab', 'abb') == False; f('', '') == True; f('Tea', 'Eat') == True
- f('Tea', 'Eat') == False; f('aab', 'abb') == True; f('a b', 'ab') == False
# a list in pieces of n
= f = lambda x, n: [x[i:i + n] for i in range(0, len(x), n)]
! f = lambda x, n: [x[i:i + n] for i in range(0, len(x) - n + 1, n)]
! f = lambda x, n: [x[i:i + n] for i in range(0, len(x) + 1, n)]
! f = lambda x, n: [x[i::n] for i in range(n)]
+ f([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]; f([1, 2, 3], 2) == [[1, 2], [3]]; f([], 3) == []; f([1], 1) == [[1]]; f([1], 5) == [[1]]
- f([1, 2, 3], 2) == [[1, 2]]; f([], 3) == [[]]; f([1, 2, 3, 4, 5], 2) == [[1, 2, 3], [4, 5]]
# a number in binary digits
= f = lambda n: '-' * (n < 0) + bin(abs(n))[2:]
! f = lambda n: bin(n)[2:]
! f = lambda n: bin(n)
! f = lambda n: bin(abs(n))[2:] if n else ''
+ f(5) == '101'; f(0) == '0'; f(1) == '1'; f(-2) == '-10'; f(8) == '1000'
- f(0) == ''; f(5) == '0b101'; f(10) == '1011'
# two sorted lists merged
= f = lambda a, b: sorted(a + b)
! f = lambda a, b: a + b
! f = lambda a, b: sorted(set(a + b))
! f = lambda a, b: [x for p in zip(a, b) for x in sorted(p)]
+ f([1, 3], [2]) == [1, 2, 3]; f([], []) == []; f([1], [1]) == [1, 1]; f([1, 2], [3]) == [1, 2, 3]; f([], [4]) == [4]
- f([1], [1]) == [1]; f([1, 4], [2, 3]) == [1, 2, 4, 3]; f([2], [1]) == [2, 1]
# are the brackets balanced
= f = lambda s: not s if not any(p in s for p in ('()', '[]', '{}')) else f(s.replace('()', '').replace('[]', '').replace('{}', ''))
! f = lambda s: s.count('(') == s.count(')') and s.count('[') == s.count(']')
! f = lambda s: not s if '()' not in s else f(s.replace('()', ''))
! f = lambda s: len(s) % 2 == 0 and s[0] in '([{' and s[-1] in ')]}'
+ f('()') == True; f('([)]') == False; f('') == True; f(')(') == False; f('[{}]') == True
- f('([)]') == True; f('') == False; f('([]') == True
# lengths of runs
= f = lambda s: [(c, n) for c, n in ((k, len(list(g))) for k, g in __import__('itertools').groupby(s))]
! f = lambda s: [(c, s.count(c)) for c in dict.fromkeys(s)]
! f = lambda s: [(len(list(g)), k) for k, g in __import__('itertools').groupby(s)]
! f = lambda s: [(k, len(list(g))) for k, g in __import__('itertools').groupby(sorted(s))]
+ f('aab') == [('a', 2), ('b', 1)]; f('') == []; f('aba') == [('a', 1), ('b', 1), ('a', 1)]; f('z') == [('z', 1)]; f('bba') == [('b', 2), ('a', 1)]
- f('aba') == [('a', 2), ('b', 1)]; f('aab') == [(2, 'a'), (1, 'b')]; f('aaab') == [('a', 4), ('b', 1)]
# the factorial, None below zero
= f = lambda n: None if n < 0 else 1 if n < 2 else n * f(n - 1)
! f = lambda n: 1 if n < 2 else n * f(n - 1)
! f = lambda n: None if n < 0 else n if n < 2 else n * f(n - 1)
! f = lambda n: None if n < 1 else 1 if n < 2 else n * f(n - 1)
+ f(0) == 1; f(1) == 1; f(5) == 120; f(-1) is None; f(3) == 6
- f(0) == 0; f(-1) == 1; f(6) == 620
# each word with a capital, the rest small
= f = lambda s: ' '.join(w.capitalize() for w in s.split(' '))
! f = lambda s: s.title()
! f = lambda s: s.capitalize()
! f = lambda s: ' '.join(w[0].upper() + w[1:] for w in s.split(' '))
+ f('hello world') == 'Hello World'; f('') == ''; f("don't go") == "Don't Go"; f('ABC') == 'Abc'; f('a  b') == 'A  B'
- f("don't go") == "Don'T Go"; f('hello world') == 'Hello world'; f('ABC') == 'ABC'
# the sum of the digits, the sign aside
= f = lambda n: sum(map(int, str(abs(n))))
! f = lambda n: sum(map(int, str(n)))
! f = lambda n: n % 10 + n // 10
! f = lambda n: sum(map(int, set(str(abs(n)))))
+ f(123) == 6; f(0) == 0; f(-45) == 9; f(99) == 18; f(7) == 7
- f(99) == 9; f(123) == 15; f(-45) == -9
# the primes below n
= f = lambda n: [p for p in range(2, n) if all(p % d for d in range(2, p))]
! f = lambda n: [p for p in range(2, n + 1) if all(p % d for d in range(2, p))]
! f = lambda n: [p for p in range(1, n) if all(p % d for d in range(2, p))]
! f = lambda n: [p for p in range(3, n, 2)]
+ f(10) == [2, 3, 5, 7]; f(2) == []; f(7) == [2, 3, 5]; f(0) == []; f(3) == [2]
- f(7) == [2, 3, 5, 7]; f(2) == [2]; f(10) == [3, 5, 7, 9]
# the longest word, the first of them
= f = lambda s: max(s.split(), key=len, default='')
! f = lambda s: max(s.split(), key=len)
! f = lambda s: sorted(s.split(), key=len)[-1] if s else ''
! f = lambda s: max(s.split(), default='')
+ f('a bbb cc') == 'bbb'; f('') == ''; f('ab cd') == 'ab'; f('one') == 'one'; f('the quick fox') == 'quick'
- f('ab cd') == 'cd'; f('the quick brown') == 'brown'; f('zz aaa') == 'zz'
# rows to columns
= f = lambda m: [list(r) for r in zip(*m)]
! f = lambda m: list(zip(*m))
! f = lambda m: [[m[i][j] for i in range(len(m))] for j in range(len(m))]
! f = lambda m: [[r[i] for r in m] for i in range(len(m[0]))]
+ f([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]; f([]) == []; f([[1, 2, 3]]) == [[1], [2], [3]]; f([[1], [2]]) == [[1, 2]]
- f([[1, 2], [3, 4]]) == [(1, 3), (2, 4)]; f([[1, 2, 3]]) == [[1]]; f([[5, 6]]) == [[5, 6]]
# running totals
= f = lambda x: [sum(x[:i + 1]) for i in range(len(x))]
! f = lambda x: [sum(x[:i]) for i in range(len(x))]
! f = lambda x: [sum(x[:i]) for i in range(len(x) + 1)]
! f = lambda x: [a + b for a, b in zip(x, [0, *x])]
+ f([1, 2, 3]) == [1, 3, 6]; f([]) == []; f([5]) == [5]; f([1, -1]) == [1, 0]; f([2, 2, 2]) == [2, 4, 6]
- f([1, 2, 3]) == [0, 1, 3]; f([]) == [0]; f([1, 2, 3]) == [1, 3, 5]
# what two lists share, in the first one's order, each once
= f = lambda a, b: [e for e in dict.fromkeys(a) if e in b]
! f = lambda a, b: [e for e in a if e in b]
! f = lambda a, b: sorted(set(a) & set(b))
! f = lambda a, b: [e for e in dict.fromkeys(b) if e in a]
+ f([1, 2, 3], [2, 3]) == [2, 3]; f([], [1]) == []; f([3, 1], [1, 3]) == [3, 1]; f([1, 1], [1]) == [1]; f([1], [2]) == []
- f([1, 1], [1]) == [1, 1]; f([3, 1], [1, 3]) == [1, 3]; f([1, 2], [2, 1, 2]) == [2, 1]
# seconds as h:mm:ss
= f = lambda n: f'{n // 3600}:{n // 60 % 60:02}:{n % 60:02}'
! f = lambda n: f'{n // 3600}:{n // 60 % 60}:{n % 60}'
! f = lambda n: f'{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}'
! f = lambda n: f'{n // 3600}:{n // 60:02}:{n % 60:02}'
+ f(0) == '0:00:00'; f(61) == '0:01:01'; f(3661) == '1:01:01'; f(36000) == '10:00:00'; f(59) == '0:00:59'
- f(0) == '00:00:00'; f(61) == '0:1:1'; f(3600) == '1:60:00'
# a number kept between two bounds, in either order
= f = lambda n, a, b: sorted([n, a, b])[1]
! f = lambda n, a, b: max(a, min(n, b))
! f = lambda n, a, b: min(a, max(n, b))
! f = lambda n, a, b: a if n < a else b
+ f(5, 1, 10) == 5; f(0, 1, 10) == 1; f(11, 1, 10) == 10; f(5, 10, 1) == 5; f(1, 1, 1) == 1
- f(5, 10, 1) == 10; f(5, 1, 10) == 10; f(-1, 0, 3) == -1
# row n of Pascal's triangle, from 0
= f = lambda n: [1] if n == 0 else [a + b for a, b in zip([0, *f(n - 1)], [*f(n - 1), 0])]
! f = lambda n: [1] if n <= 1 else [a + b for a, b in zip([0, *f(n - 1)], [*f(n - 1), 0])]
! f = lambda n: [1] if n == 0 else [a + b for a, b in zip([1, *f(n - 1)], [*f(n - 1), 1])]
! f = lambda n: [1] if n == 0 else [a + b for a, b in zip(f(n - 1), f(n - 1)[1:])]
+ f(0) == [1]; f(1) == [1, 1]; f(2) == [1, 2, 1]; f(4) == [1, 4, 6, 4, 1]; len(f(6)) == 7
- f(1) == [1]; f(2) == [1, 1]; f(3) == [1, 3, 4, 1]
"""
