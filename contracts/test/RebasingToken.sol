// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Stores shares; a balance is shares times a rate that changes for every holder at once.
contract RebasingToken {
    string public constant name = "Rebasing Token";
    string public constant symbol = "REBASE";
    uint8 public constant decimals = 18;
    uint256 public rate = 1.07 ether;
    mapping(address => uint256) private shares;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor() {
        shares[msg.sender] = 1_000_000 ether;
    }

    function balanceOf(address holder) public view returns (uint256) {
        return shares[holder] * rate / 1 ether;
    }

    function rebase(uint256 newRate) external {
        rate = newRate;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return move(from, to, amount);
    }

    function move(address from, address to, uint256 amount) private returns (bool) {
        uint256 moved = amount * 1 ether / rate;
        shares[from] -= moved;
        shares[to] += moved;
        return true;
    }
}
