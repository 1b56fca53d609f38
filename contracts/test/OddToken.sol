// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token with the oddities of deployed ones, each of which a test switches on. Balances stand in the high bits of words in
/// a storage namespace of its own.
contract OddToken {
    string public constant name = "Odd Token";
    string public constant symbol = "ODD";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1_000_000 ether;

    struct Data {
        mapping(address account => uint256 word) words;
        mapping(address owner => mapping(address spender => uint256 amount)) allowances;
        mapping(address account => bool isBlocked) blocked;
        bool paused;
        bool needsReset;
        bool refusesNothing;
        address taxed;
    }

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor() {
        data().words[msg.sender] = totalSupply << 96;
    }

    function data() private pure returns (Data storage found) {
        bytes32 slot = keccak256("edgebook.test.OddToken");
        assembly ("memory-safe") {
            found.slot := slot
        }
    }

    function setPaused(bool paused) external {
        data().paused = paused;
    }

    function setBlocked(address account, bool isBlocked) external {
        data().blocked[account] = isBlocked;
    }

    /// An allowance other than zero cannot be changed to another.
    function setNeedsReset(bool needsReset) external {
        data().needsReset = needsReset;
    }

    /// An approval of nothing reverts.
    function setRefusesNothing(bool refusesNothing) external {
        data().refusesNothing = refusesNothing;
    }

    /// Transfers from and to this account, such as a pool, lose a twentieth.
    function setTaxed(address account) external {
        data().taxed = account;
    }

    function balanceOf(address account) public view returns (uint256) {
        return data().words[account] >> 96;
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        return data().allowances[owner][spender];
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(!data().refusesNothing || amount > 0, "approval of nothing");
        uint256 current = data().allowances[msg.sender][spender];
        require(!data().needsReset || amount == 0 || current == 0, "approval must be reset");
        data().allowances[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        data().allowances[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        Data storage found = data();
        require(!found.paused, "paused");
        require(!found.blocked[from] && !found.blocked[to], "blocked");
        require(balanceOf(from) >= amount, "balance too small");
        uint256 lost = found.taxed != address(0) && (from == found.taxed || to == found.taxed) ? amount / 20 : 0;
        found.words[from] -= amount << 96;
        found.words[to] += (amount - lost) << 96;
        emit Transfer(from, to, amount - lost);
    }
}
